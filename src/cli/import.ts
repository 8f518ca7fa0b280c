/** `causeway import`: converts QuickFIX settings to our configuration, and lists settings without a counterpart. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { causeway44 } from '../fix/dictionaries.ts';
import { loadDictionary } from '../fix/dictionary.ts';
import { faultList } from '../runtime/yaml.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { printableLines } from './fix-text.ts';
import { type Conversion, convert, type SettingFate } from './import/conversion.ts';
import { type DictionaryDifference, differences } from './import/dictionary-difference.ts';
import { parseQuickfix } from './import/quickfix-settings.ts';
import { needed, text } from './options.ts';
import { concluded } from './verb.ts';

const about = `Reads the settings of QuickFIX C++, QuickFIX/J or QuickFIX/n, of the client or of the old gateway, and writes
gateway.yaml. Every setting is listed as taken, always done, without a counterpart, or unknown; sessions of versions
other than FIX.4.4 are left out by name. Passwords are not copied.`;

export const verb = command({
  summary: 'turn QuickFIX settings and dictionary into a configuration',
  forms: ['--settings FILE --out DIR [--dictionary FILE]'],
  about,
  options: {
    settings: needed('FILE', 'settings file of QuickFIX'),
    out: needed('DIR', 'where to write gateway.yaml; what is there already is kept'),
    dictionary: text('FILE', 'dictionary of the counterparty, to compare with ours'),
  },
  examples: [
    'causeway import --settings quickfix.cfg --out causeway',
    'causeway import --settings quickfix.cfg --dictionary FIX44-custom.xml --out causeway --json',
  ],
  async run({ settings, out, dictionary, json }) {
    const converted = convert(parseQuickfix(readFileSync(settings, 'utf8')));
    if (converted.faults.length > 0) {
      throw new Failure(
        faultList(`${settings} cannot be converted:`, converted.faults),
        'A session needs BeginString=FIX.4.4, SenderCompID and TargetCompID.',
      );
    }
    const file = join(out, 'gateway.yaml');
    if (existsSync(file)) throw new Failure(`${file} exists already`, 'Name another --out DIR.');
    const theirs = dictionary === undefined ? undefined : loadDictionary(dictionary);
    const difference = theirs && differences(theirs, causeway44());
    mkdirSync(out, { recursive: true });
    writeFileSync(file, stringify(converted.config));
    const { fates: settingFates, leftOut, toDo } = converted;
    const report = { file, settings: settingFates, leftOut, dictionary: difference, toDo };
    return concluded(json, report, reportText(file, converted, difference));
  },
});

function reportText(
  file: string,
  { fates, leftOut, toDo }: Conversion,
  difference: DictionaryDifference | undefined,
): string {
  const rows = (fate: SettingFate['fate']) =>
    fates
      .filter((row) => row.fate === fate)
      .map(({ line, key, value, words }) => `  ${line}: ${key}=${value}  ${words}`);
  const sections: readonly Section[] = [
    ['Taken over:', rows('taken')],
    ['Done by the bridge in any case:', rows('always')],
    ['Without a counterpart:', rows('none')],
    ['Sessions that were left out:', leftOut.map((reason) => `  ${reason}`)],
    ['Unknown keys, which were ignored:', rows('unknown')],
    ...(difference === undefined ? [] : dictionarySections(difference)),
    ['To do:', toDo.map((step) => `  - ${step}`)],
  ];
  const shown = sections.filter(([, rows]) => rows.length > 0);
  const lines = shown.flatMap(([title, rows]) => ['', title, ...rows]);
  return printableLines([`${file} was written.`, ...lines]);
}

type Section = readonly [title: string, rows: readonly string[]];

function dictionarySections(found: DictionaryDifference): readonly Section[] {
  const listed = (name: string, list: readonly string[]) => `  ${name}  ${list.join(', ')}`;
  return [
    [
      'Messages that the bridge does not offer:',
      [`  ${found.messagesNotOffered.join(', ') || 'none'}`],
    ],
    [
      'Unknown fields (rejected if below 5000):',
      found.fieldsUnknown.map(({ field, messages }) => `  ${field}  in ${messages.join(', ')}`),
    ],
    [
      'Values that it rejects with 373=5:',
      found.valuesUnknown.map(({ field, values }) => listed(field, values)),
    ],
    ['Fields that it requires:', found.required.map((one) => listed(one.message, one.fields))],
  ];
}
