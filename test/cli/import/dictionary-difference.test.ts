import { expect, test } from 'vitest';
import { differences } from '../../../src/cli/import/dictionary-difference.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import { compileDictionary } from '../../../src/fix/dictionary.ts';
import { readDictionaryXml } from '../../../src/fix/dictionary-xml.ts';

const xml = `<fix major="4" minor="4"><header/><trailer/><components/><messages>
<message name="NewOrderSingle" msgtype="D" msgcat="app">
  <field name="ClOrdID" required="Y"/><field name="Side" required="N"/><field name="DeskNote" required="N"/>
</message>
<message name="Email" msgtype="C" msgcat="app"><field name="ClOrdID" required="N"/></message>
</messages><fields>
<field number="11" name="ClOrdID" type="STRING"/>
<field number="54" name="Side" type="CHAR"><value enum="1" description="BUY"/><value enum="X" description="OWN"/></field>
<field number="5001" name="DeskNote" type="STRING"/>
</fields></fix>`;

test('what they have and we have not, and what we demand, is named', () => {
  const found = differences(compileDictionary(readDictionaryXml(xml)), causeway44());
  expect(found.messagesNotOffered).toEqual(['Email(C)']);
  expect(found.fieldsUnknown).toEqual([
    { field: 'DeskNote(5001)', messages: ['NewOrderSingle(D)'] },
  ]);
  expect(found.valuesUnknown).toEqual([{ field: 'Side(54)', values: ['X'] }]);
  expect(found.required).toEqual([
    { message: 'NewOrderSingle(D)', fields: expect.arrayContaining(['Side(54)', 'OrdType(40)']) },
  ]);
});

test('our own dictionary has no difference', () => {
  expect(differences(causeway44(), causeway44())).toEqual({
    messagesNotOffered: [],
    fieldsUnknown: [],
    valuesUnknown: [],
    required: [],
  });
});
