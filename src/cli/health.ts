/** `causeway health`: checks whether a running bridge is alive, for containers without other tools. */

import { isIPv6 } from 'node:net';
import { Agent, request } from 'undici';
import { loadConfig } from '../gateway/config/config-file.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { flag, integer, needed } from './options.ts';
import { concluded } from './verb.ts';

const longestAnswer = 4_000;
const maxResponseSize = 1_000_000;

export const verb = command({
  summary: 'ask a running bridge on this machine whether it is alive, or ready to trade',
  forms: ['--config FILE [options]'],
  about: 'Asks the console of the configuration: /healthz, or /readyz with --ready.',
  options: {
    config: needed('FILE', 'configuration of the bridge, with a console'),
    ready: flag('whether orders are accepted, with the reasons if not'),
    timeout: integer('MS', 'how long to wait', { least: 1, most: 600_000 }, 4_000),
  },
  notes: 'Exit code 0 if it is alive, otherwise 1.',
  examples: [
    'causeway health --config gateway.yaml',
    'causeway health --config gateway.yaml --ready',
  ],
  async run({ config: file, ready, timeout, json }) {
    const { console: section } = loadConfig(file).config;
    if (section === undefined || section.listen.port === 0) {
      throw new Failure(
        `${file} has no console with a fixed port`,
        'Add "console" with "listen" to it, because the console serves the health check.',
      );
    }
    const { host, port } = section.listen;
    const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
    const scheme = section.tls === undefined ? 'http' : 'https';
    const origin = `${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}`;
    const answer = await ask(new URL(ready ? '/readyz' : '/healthz', origin), timeout);
    return concluded(json, { ok: answer.isYes, answer: answer.text }, answer.text, answer.isYes);
  },
});

async function ask(url: URL, timeoutMs: number): Promise<{ isYes: boolean; text: string }> {
  // No secret is sent, and the certificate contains the browsers' host name, which may differ from this address.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, maxResponseSize });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { body, statusCode } = await request(url, { dispatcher, signal });
    return { isYes: statusCode === 200, text: (await body.text()).slice(0, longestAnswer).trim() };
  } catch (error) {
    return { isYes: false, text: `no answer from ${url.host}: ${(error as Error).message}` };
  } finally {
    await dispatcher.destroy();
  }
}
