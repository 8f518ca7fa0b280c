import { expect, test } from 'vitest';
import { code, heading, html, markdown, table, words } from '../../../src/cli/roe/document.ts';

const hostile = '<script>alert("1")</script> & | x';
const blocks = [
  heading(2, 'Title'),
  words(hostile),
  table(['a'], [[hostile], [1]]),
  code('8=FIX|'),
];

test('Markdown keeps its tables and lets no element through', () => {
  expect(markdown(blocks)).toBe(
    [
      '## Title',
      '',
      '\\<script\\>alert("1")\\</script\\> & | x',
      '',
      '| a |',
      '| --- |',
      '| \\<script\\>alert("1")\\</script\\> & \\| x |',
      '| 1 |',
      '',
      '```text',
      '8=FIX|',
      '```',
      '',
    ].join('\n'),
  );
});

test('HTML escapes all text and forbids scripts', () => {
  const page = html(hostile, blocks);
  expect(page).not.toContain('<script');
  expect(page.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; | x')).toHaveLength(4);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain('<pre>8=FIX|</pre>');
});
