import { expect, test } from 'vitest';
import { readDictionaryXml } from '../../src/fix/dictionary-xml.ts';

test('a dictionary is read as it stands', () => {
  const read = readDictionaryXml(`<?xml version="1.0"?><!-- c -->
    <fix type="FIX" major="4" minor="4">
      <header><field name="BeginString" required="Y"/></header>
      <trailer><field name="CheckSum" required="Y"/></trailer>
      <messages><message name="Logon" msgtype="A" msgcat="admin">
        <group name="NoMsgTypes" required="N"><field name="RefMsgType" required="N"/></group>
        <component name="Parties" required="Y"/>
      </message></messages>
      <components><component name="Parties"><field name="X" required="Y"/></component></components>
      <fields><field number="54" name="Side" type="CHAR"><value enum="1" description="BUY"/></field></fields>
    </fix>`);
  expect(read.beginString).toBe('FIX.4.4');
  expect(read.header).toEqual([{ kind: 'field', name: 'BeginString', required: true }]);
  expect(read.trailer).toHaveLength(1);
  expect(read.messages).toEqual([
    {
      name: 'Logon',
      msgType: 'A',
      admin: true,
      parts: [
        {
          kind: 'group',
          name: 'NoMsgTypes',
          required: false,
          parts: [{ kind: 'field', name: 'RefMsgType', required: false }],
        },
        { kind: 'component', name: 'Parties', required: true },
      ],
    },
  ]);
  expect(read.components.get('Parties')).toHaveLength(1);
  expect(read.fields).toEqual([
    { tag: 54, name: 'Side', type: 'CHAR', values: ['1'], meanings: ['BUY'] },
  ]);
});

test.each([
  ['not XML at all', 'not XML'],
  ['<fix major="4"', 'not XML'],
  ['<other/>', 'the root element is not <fix>'],
  ['<fix minor="4"/>', 'line 1: <fix> lacks major'],
  ['<fix major="4" minor="4"><header><x name="A"/></header></fix>', '<x> has no place here'],
  ['<fix major="4" minor="4"><header><field/></header></fix>', 'line 1: <field> lacks name'],
])('%s is refused: %s', (xml, error) => {
  expect(() => readDictionaryXml(xml)).toThrow(error);
});
