/** docs/METRICS.md is the list of what is scraped; `CAUSEWAY_WRITE_DOCS=1` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeMetrics } from '../../src/cluster/node-metrics.ts';
import { AlarmList } from '../../src/console/alarm-list.ts';
import { bridgeMetrics } from '../../src/console/bridge-metrics.ts';
import { Live } from '../../src/console/live.ts';
import type { Trail } from '../../src/console/trail.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { idleSignerMetrics } from '../support/idle-signer.ts';

const document = join(import.meta.dirname, '../../docs/METRICS.md');
const head = `# Metrics

The console serves these at \`/metrics\` in Prometheus format. They need no login, because they do not identify clients or
accounts. With \`metricsExport\` the bridge also sends them to [OpenTelemetry](OPERATING.md#metrics-to-opentelemetry), under the same names.
Latencies are histograms in microseconds with buckets from 10 µs to 10 s. This file is generated, and a test compares it.

Health: \`/healthz\` responds as long as the process runs. \`/readyz\` returns 200 while orders are accepted, otherwise 503 with
one reason per line.

| Name | Kind | Meaning |
|---|---|---|
`;
const nodeHead = `
## Metrics of a node

A node serves the process metrics and these at \`/metrics\` of \`status\` in \`cluster.yaml\`. Values that it does not know are left
out.

| Name | Kind | Meaning |
|---|---|---|
`;

const signerHead = `
## Of the signer

A signer serves the process metrics and these at \`/metrics\` of \`status\` in \`signer.yaml\`.

| Name | Kind | Meaning |
|---|---|---|
`;

function metrics() {
  const clock = new ManualClock();
  // A bridge that has not opened yet: every metric is there from the first scrape on.
  const trail = { count: 0, dropped: 0, waitingBytes: 0 } as Trail;
  const live = new Live(clock, () => ({}));
  const passwords = { waiting: 0, dropped: 0 };
  const alarms = new AlarmList(clock);
  return bridgeMetrics({ view: () => undefined, trail, alarms, passwords, live });
}

/** A node that has not read anything yet. */
function metricsOfNode() {
  const now = { node: 'n1', nodes: [], shards: [], database: null, acts: [] };
  return nodeMetrics({ keepers: [], overview: { now, refresh: () => Promise.resolve() } });
}

function rowsOf(text: string): readonly string[] {
  const helps = new Map(
    [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
  const rows = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name = '', kind]) => `| \`${name}\` | ${kind} | ${helps.get(name)} |`,
  );
  return rows.sort();
}

test('docs/METRICS.md names every metric with its kind', async () => {
  const rows = rowsOf(await metrics().text());
  const ofNode = rowsOf(await metricsOfNode().text()).filter((row) => !rows.includes(row));
  const ofSigner = rowsOf(await idleSignerMetrics().text()).filter((row) => !rows.includes(row));
  const tables = [rows, ofNode, ofSigner].map((each) => `${each.join('\n')}\n`);
  const written = `${head}${tables[0]}${nodeHead}${tables[1]}${signerHead}${tables[2]}`;
  const { CAUSEWAY_WRITE_DOCS: isWritten } = process.env;
  if (isWritten !== undefined) writeFileSync(document, written);
  expect(readFileSync(document, 'utf8')).toBe(written);
  expect([rows.length > 50, ofNode.length > 10, ofSigner.length > 4]).toEqual([true, true, true]);
});

test.each(['alerts.yaml', 'alerts.test.yaml', 'grafana-dashboard.json'])(
  'deploy/%s asks for nothing that is not scraped',
  async (file) => {
    const all = [metrics(), metricsOfNode(), idleSignerMetrics()].map((each) => each.text());
    const text = (await Promise.all(all)).join('\n');
    const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const asked = readFileSync(join(import.meta.dirname, '../../deploy', file), 'utf8').matchAll(
      /causeway_[a-z0-9_]+/g,
    );
    for (const [name] of asked) {
      expect(names, name).toContain(name.replace(/(?<=_us)_(bucket|sum|count)$/, ''));
    }
  },
);
