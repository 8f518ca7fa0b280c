/** Parses XML into a tree with line numbers. Namespaces are ignored: `sbe:message` and `message` are the same. */
import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, trimmed. */
  readonly text: string;
}

type Growing = XmlElement & { readonly children: XmlElement[]; text: string };

const maxDepth = 32;
export const maxXmlChars = 16 * 1024 * 1024;

/** Throws an Error with the problem and its position if the text is not XML. */
export function readXml(xml: string): XmlElement {
  if (xml.length > maxXmlChars) {
    throw new Error(`${xml.length} characters are more than the ${maxXmlChars} that are read`);
  }
  const parser = new SaxesParser();
  const open: Growing[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw new Error(`line ${parser.line}: not XML: ${error.message.replace(/^\d+:\d+: /, '')}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === maxDepth) {
      throw new Error(`line ${parser.line}: more than ${maxDepth} elements inside each other`);
    }
    const element = {
      name: localName(name),
      line: parser.line,
      attributes: new Map(Object.entries(attributes)),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined) element.text = element.text.trim();
  });
  parser.write(xml).close();
  if (root === undefined) throw new Error('line 1: not XML: there is no element');
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Escapes XML and HTML text and attributes; control characters, which neither may contain, become dots. */
export function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '·')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
