/** A document of headings, text, tables and code, as Markdown or as one HTML page without scripts. */
import { escaped } from '../../runtime/xml-tree.ts';

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'words' | 'code'; readonly text: string }
  | { readonly kind: 'contents' }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly Row[] };
export type Row = readonly (string | number)[];

export const heading = (level: 1 | 2 | 3, text: string): Block => ({
  kind: 'heading',
  level,
  text,
});
export const contents: Block = { kind: 'contents' };
export const words = (text: string): Block => ({ kind: 'words', text });
export const code = (text: string): Block => ({ kind: 'code', text });
export const table = (head: readonly string[], rows: readonly Row[]): Block => ({
  kind: 'table',
  head,
  rows,
});

export function markdown(blocks: readonly Block[]): string {
  return `${blocks.map((block) => markdownBlock(block, blocks)).join('\n\n')}\n`;
}

/** Section titles with their anchors, in the form that Markdown viewers generate. */
function sectionsOf(
  blocks: readonly Block[],
): readonly (readonly [title: string, anchor: string])[] {
  return blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === 2 ? [[block.text, anchorOf(block.text)]] : [],
  );
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function markdownBlock(block: Block, blocks: readonly Block[]): string {
  switch (block.kind) {
    case 'contents':
      return sectionsOf(blocks)
        .map(([title, anchor]) => `- [${title}](#${anchor})`)
        .join('\n');
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'words':
      return block.text.replace(/[<>]/g, '\\$&');
    case 'code':
      return `\`\`\`text\n${block.text}\n\`\`\``;
    case 'table': {
      const line = (cells: Row) =>
        `| ${cells.map((cell) => String(cell).replace(/[|<>]/g, '\\$&')).join(' | ')} |`;
      return [line(block.head), line(block.head.map(() => '---')), ...block.rows.map(line)].join(
        '\n',
      );
    }
  }
}

const style = `:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 0 0 1rem; display: block; overflow-x: auto; font-size: 13px }
th, td { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; vertical-align: top }
pre { background: #8882; padding: .6rem; overflow-x: auto }
@media print { body { margin: 0; max-width: none } }`;

export function html(title: string, blocks: readonly Block[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>
${style}
</style>
</head>
<body>
${blocks.map((block) => htmlBlock(block, blocks)).join('\n')}
</body>
</html>
`;
}

/** Text in which `this` is code. */
const inline = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

function htmlBlock(block: Block, blocks: readonly Block[]): string {
  switch (block.kind) {
    case 'contents': {
      const links = sectionsOf(blocks).map(
        ([title, anchor]) => `<li><a href="#${anchor}">${escaped(title)}</a></li>`,
      );
      return `<ul>\n${links.join('\n')}\n</ul>`;
    }
    case 'heading':
      return `<h${block.level} id="${anchorOf(block.text)}">${escaped(block.text)}</h${block.level}>`;
    case 'words':
      return `<p>${inline(block.text)}</p>`;
    case 'code':
      return `<pre>${escaped(block.text)}</pre>`;
    case 'table': {
      const line = (tag: 'th' | 'td', cells: Row) =>
        `<tr>${cells.map((cell) => `<${tag}>${inline(String(cell))}</${tag}>`).join('')}</tr>`;
      const rows = block.rows.map((row) => line('td', row));
      const head = block.head.some((cell) => cell !== '') ? [line('th', block.head)] : [];
      return `<table>\n${[...head, ...rows].join('\n')}\n</table>`;
    }
  }
}
