/** `causeway health`: asks a running bridge whether it is alive, for containers, which have nothing else to ask with. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { loadConfig } from '../gateway/config-file.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { flag, integer, needed } from './options.ts';
import { exitCodes } from './verb.ts';

const longestAnswer = 4_000;

export const verb = command({
  name: 'health',
  summary: 'ask a running bridge on this machine whether it is alive, or ready to trade',
  forms: ['--config FILE [options]'],
  about: 'Asks the console of the configuration: /healthz, or /readyz with --ready.',
  options: {
    config: needed('FILE', 'configuration of the bridge, with a console'),
    ready: flag('whether orders are accepted, with the reasons if not'),
    timeout: integer('MS', 'how long to wait', { least: 1, most: 600_000 }, 4_000),
  },
  notes: 'Exit code 0 if the answer is yes, 1 if it is no or there is none.',
  examples: [
    'causeway health --config gateway.yaml',
    'causeway health --config gateway.yaml --ready',
  ],
  async run({ config: file, ready, timeout, json }) {
    const { console: section } = loadConfig(file).config;
    if (section === undefined || section.listen.port === 0) {
      throw new Failure(
        `${file} has no console with a fixed port`,
        'Add "console" with "listen" to it, because the console answers for the bridge.',
      );
    }
    const { host, port } = section.listen;
    const answer = await ask({
      isTls: section.tls !== undefined,
      host: { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host,
      port,
      path: ready ? '/readyz' : '/healthz',
      timeoutMs: timeout,
    });
    console.log(json ? JSON.stringify({ ok: answer.isYes, answer: answer.text }) : answer.text);
    return answer.isYes ? exitCodes.done : exitCodes.failed;
  },
});

interface Question {
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly timeoutMs: number;
}

interface Answer {
  readonly isYes: boolean;
  readonly text: string;
}

function ask({ isTls, host, port, path, timeoutMs }: Question): Promise<Answer> {
  return new Promise((resolve) => {
    const none = ({ message }: Error) =>
      resolve({ isYes: false, text: `no answer from ${host}:${port}: ${message}` });
    // No secret is sent, and the certificate names the host that browsers use, which may not be this address.
    const options = {
      host,
      port,
      path,
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(timeoutMs),
    };
    const request = (isTls ? requestHttps : requestHttp)(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text = (text + part).slice(0, longestAnswer);
      });
      response.on('error', none);
      response.on('end', () => resolve({ isYes: response.statusCode === 200, text: text.trim() }));
    });
    request.on('error', none);
    request.end();
  });
}
