/** A start that fails halfway leaves nothing behind, so that whoever embeds the gateway may try again. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { realOutside } from '../../src/gateway/outside.ts';
import { startBridge } from '../support/bridge.ts';

const sockets = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

test('a gateway whose port is taken lets go of the venue and of its files', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const bridge = await startBridge();
  await bridge.gateway.stop();
  const before = sockets();
  const right = readFileSync(bridge.configFile, 'utf8');
  const wrong = { ...parse(right), fix: { listen: { host: '127.0.0.1', port } } };
  writeFileSync(bridge.configFile, stringify(wrong));
  const opening = Gateway.open({
    loaded: loadConfig(bridge.configFile),
    alarm: () => {},
    notice: () => {},
    fatal(error) {
      throw error;
    },
  });
  await expect(opening).rejects.toThrow('EADDRINUSE');
  await expect.poll(sockets).toBeLessThanOrEqual(before);
  writeFileSync(bridge.configFile, right);
  await bridge.restart();
  expect(bridge.gateway.gate.state).toBe('open');
  await bridge.stop();
  taken.close();
});

test('a gateway without an address of the venue opens nothing', async () => {
  const bridge = await startBridge();
  await bridge.gateway.stop();
  const loaded = loadConfig(bridge.configFile);
  const { baseUrl: _, ...venue } = loaded.config.venue;
  const profile = join(dirname(bridge.configFile), 'no-address.yaml');
  const shipped = parse(readFileSync(loaded.path(venue.profile), 'utf8'));
  const environments = { ...shipped.environments, local: { baseUrl: null } };
  writeFileSync(profile, stringify({ ...shipped, environments }));
  const opened: string[] = [];
  const opening = Gateway.open({
    loaded: { ...loaded, config: { ...loaded.config, venue: { ...venue, profile } } },
    alarm: () => {},
    notice: () => {},
    fatal(error) {
      throw error;
    },
    outside: {
      ...realOutside,
      openStore: (...all) => {
        opened.push('store');
        return realOutside.openStore(...all);
      },
      openSigner: (...all) => {
        opened.push('signer');
        return realOutside.openSigner(...all);
      },
    },
  });
  await expect(opening).rejects.toThrow('venue.baseUrl: the profile has no address for local');
  expect(opened).toEqual([]);
});

test('only a standby waits for its signer without a limit', async () => {
  const bridge = await startBridge();
  await bridge.gateway.stop();
  const waits: (number | undefined)[] = [];
  for (const isStandby of [false, true]) {
    const opening = Gateway.open({
      ...{ loaded: loadConfig(bridge.configFile), alarm: () => {}, notice: () => {}, isStandby },
      fatal(error) {
        throw error;
      },
      outside: {
        ...realOutside,
        async openSigner(_loaded, _contract, _raise, withinMs) {
          waits.push(withinMs);
          throw new Error('away');
        },
      },
    });
    await expect(opening).rejects.toThrow('away');
  }
  expect(waits).toEqual([undefined, Number.POSITIVE_INFINITY]);
  await bridge.restart();
  await bridge.stop();
});
