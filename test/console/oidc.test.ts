/** What needs no provider; the login through a real one is in test/interop/oidc.test.ts. */
import { expect, test } from 'vitest';
import { Oidc } from '../../src/console/oidc.ts';
import { consoleSection } from '../../src/gateway/config/console-config.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const hash = { name: 'ann', secretHashFile: 'ann.hash' };
const section = (oidc: object) =>
  consoleSection.safeParse({ listen: { port: 0 }, operators: [hash], oidc });
const settings = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'causeway',
  roles: { ops: ['operate'] },
};

function setup() {
  const config = section(settings).data?.oidc;
  if (config === undefined) throw new Error('the settings are wrong');
  const problems: string[] = [];
  return {
    oidc: new Oidc(config, undefined, new ManualClock(), (text) => problems.push(text)),
    problems,
  };
}

test('a provider that cannot be reached is reported once, however many try to log in', async () => {
  const { oidc, problems } = setup();
  const starts = await Promise.all(
    Array.from({ length: 20 }, () => oidc.start('http://localhost/')),
  );
  expect(new Set(starts)).toEqual(new Set(['unavailable']));
  expect(problems).toHaveLength(1);
});

test.each([undefined, '', 'x', 'A'.repeat(100), 'A'.repeat(10_000)])(
  'a cookie that this process did not write, such as %j, begins nothing',
  async (cookie) => {
    const { oidc, problems } = setup();
    const callback = new URL('http://localhost/login/callback?code=x&state=y');
    expect(await oidc.finish(callback, cookie)).toBe('expired');
    expect(problems).toEqual([]);
  },
);

test('a provider on another machine must be asked over https, and roles must be known', () => {
  expect(section({ ...settings, issuer: 'http://login.example' }).success).toBe(false);
  expect(section({ ...settings, issuer: 'https://login.example' }).success).toBe(true);
  expect(section({ ...settings, roles: { ops: ['everything'] } }).success).toBe(false);
});
