/** `causeway certify passive`: determines which scenarios a log or live traffic demonstrates. */
import { readFileSync } from 'node:fs';
import { type Interview, readInterview, type Selected, select } from '../../certify/interview.ts';
import { judgeTraffic } from '../../certify/live-traffic.ts';
import { judgeLog, type PassiveResult, readLog, type Sighting } from '../../certify/passive.ts';
import { type Address, listen } from '../../certify/port.ts';
import { sentence } from '../../certify/record.ts';
import { loadCatalogue } from '../../certify/scenario.ts';
import { hostAndPortOf } from '../../store/postgres/place-config.ts';
import { printableLines } from '../fix-text.ts';
import { stopAsked } from '../stop.ts';
import { concluded, UsageError } from '../verb.ts';
import type { Asked } from './options.ts';

export async function passive(
  { interview, through, catalogue, json }: Asked,
  [file]: readonly string[],
): Promise<number> {
  if (interview === undefined || (file === undefined) === (through === undefined)) {
    throw new UsageError('passive needs --interview FILE, and a log or --through HOST:PORT');
  }
  const answers = readInterview(interview);
  const chosen = select(loadCatalogue(catalogue).scenarios, answers);
  if (file === undefined) {
    const result = await live(addressOf(through ?? ''), answers, chosen, json);
    return report(result, json, 'message');
  }
  if (answers.protocol === 'fixp')
    throw new UsageError('logs are for FIX only; FIXP needs --through');
  const log = readLog(readFileSync(file, 'utf8'), answers);
  return report(judgeLog(log, chosen, answers), json, 'line');
}

/** Relays between a client and this server until Ctrl-C. */
async function live(
  to: Address,
  interview: Interview,
  selected: readonly Selected[],
  json: boolean,
): Promise<PassiveResult> {
  const { host, port: wanted } = interview.address;
  const port = await listen(host, wanted);
  const abort = new AbortController();
  void stopAsked().then(() => abort.abort());
  const print = (words: string) => {
    if (!json) console.log(words);
  };
  print(`listening on ${host}:${port.port}; Ctrl-C ends it`);
  const shown = ({ id, title }: Sighting) => print(`shown     ${id.padEnd(6)} ${title}`);
  try {
    const { signal } = abort;
    return await judgeTraffic({ interview, selected, port, to, shown, signal });
  } finally {
    port.close();
  }
}

function report(result: PassiveResult, json: boolean, place: 'line' | 'message'): number {
  const { messages, sightings, faults } = result;
  const seen = sightings.filter(({ lines }) => lines.length > 0);
  const lines = [
    `${messages} messages`,
    ...seen.map(
      ({ id, title, lines: places }) =>
        `shown     ${id.padEnd(6)} ${title}  (${place}s ${places.join(', ')})`,
    ),
    ...faults.map(
      ({ line, verdict }) => `fault     ${place} ${line}: ${sentence(verdict)}. ${verdict.rule}`,
    ),
    `${seen.length} of ${sightings.length} scenarios that traffic can show were shown; ${faults.length} faults`,
  ];
  return concluded(json, result, printableLines(lines));
}

function addressOf(text: string): Address {
  const address = hostAndPortOf(text);
  if (address !== undefined) return address;
  throw new UsageError(`--through ${text} is not HOST:PORT, such as 127.0.0.1:9880 or [::1]:9880`);
}
