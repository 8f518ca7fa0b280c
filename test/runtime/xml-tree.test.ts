import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escaped, maxXmlChars, readXml } from '../../src/runtime/xml-tree.ts';
import { anyCharacter } from '../support/any-character.ts';

const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;

test('elements have their attributes, their children in order, and the line where they begin', () => {
  const { name, line, attributes, children } = readXml(
    '<?xml version="1.0"?>\n<!-- a list -->\n<list id="7"\n of="x">\n  <one/>\n  <two><three/></two>\n</list>',
  );
  expect({ name, attributes: [...attributes] }).toEqual({
    name: 'list',
    attributes: [
      ['id', '7'],
      ['of', 'x'],
    ],
  });
  expect(line).toBe(4);
  expect(children.map((child) => [child.name, child.line, child.children.length])).toEqual([
    ['one', 5, 0],
    ['two', 6, 1],
  ]);
});

test('the prefix of an element is left out, that of an attribute is part of its name', () => {
  const { name, attributes } = readXml('<sbe:message xmlns:sbe="urn:x" sbe:id="1"/>');
  expect(name).toBe('message');
  expect([...attributes.keys()]).toEqual(['xmlns:sbe', 'sbe:id']);
});

test('text is that directly inside an element, with entities and CDATA, without the space around it', () => {
  const { text, children } = readXml('<a> x &lt;<b> inner </b> <![CDATA[<raw>]]> \n</a>');
  expect(text).toBe('x < <raw>');
  expect(children[0]?.text).toBe('inner');
});

test('elements inside each other have a limit', () => {
  expect(readXml(nested(32)).name).toBe('a');
  expect(() => readXml(`\n${nested(33)}`)).toThrow(
    new Error('line 2: more than 32 elements inside each other'),
  );
});

test('a text that is too long is not parsed', () => {
  const longest = `<<${'x'.repeat(maxXmlChars - 2)}`;
  expect(() => readXml(longest)).toThrow('line 1: not XML');
  expect(() => readXml(`${longest}x`)).toThrow(
    new Error('16777217 characters are more than the 16777216 that are read'),
  );
});

test.each([
  ['', 'line 1: not XML: document must contain a root element.'],
  ['text', 'line 1: not XML: text data outside of root node.'],
  ['<a>\n<b></a>', 'line 2: not XML: unexpected close tag.'],
  ['<a>', 'line 1: not XML: unclosed tag: a'],
  ['<a/>\n\n<b/>', 'line 3: not XML: documents may contain only one root.'],
  ['<a b="1" b="2"/>', 'line 1: not XML: duplicate attribute: b.'],
])('%j is not XML, and the error has the line', (xml, problem) => {
  expect(() => readXml(xml)).toThrow(new Error(problem));
});

const anyText = fc.string({ unit: anyCharacter, maxLength: 30 });

test('whatever a text contains, escaped it stays one text and one attribute, and reads back as it was', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const element = readXml(`<a t="${escaped(text)}">|${escaped(text)}|</a>`);
      const shown = text.replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '·');
      expect(element.text).toBe(`|${shown}|`);
      expect(element.attributes.get('t')).toBe(shown.replace(/[\n\t]/g, ' '));
      expect(element.children).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('control characters become dots, line ends and tabs stay', () => {
  expect(escaped('a\u0001b\u001b[31m\r\n\tc\u007f\u0085')).toBe('a·b·[31m·\n\tc··');
  expect(escaped('<"a" & \'b\'>')).toBe("&lt;&quot;a&quot; &amp; 'b'&gt;");
  expect(escaped('\uffff\ufffe')).toBe('··');
});
