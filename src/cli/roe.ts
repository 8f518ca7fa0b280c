/** `causeway roe`: writes the rules of engagement of a session, and the other files that its counterparty needs. */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeway44 } from '../fix/dictionaries.ts';
import type { Config, SessionConfig } from '../gateway/config/config.ts';
import { type LoadedConfig, loadConfig } from '../gateway/config/config-file.ts';
import { shippedSchema } from '../mapping/sbe/shipped-schemas.ts';
import { systemClock } from '../runtime/clock.ts';
import { shippedText } from '../runtime/shipped.ts';
import { describeSchema } from '../sbe/describe.ts';
import { loadProfile } from '../venue/profile.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { integer, needed, portRange, text } from './options.ts';
import { clientSettings, dictionaryName, type Endpoint } from './roe/client-settings.ts';
import { html, markdown } from './roe/document.ts';
import { usesOf } from './roe/message-uses.ts';
import { orchestra } from './roe/orchestra.ts';
import { rulesOf } from './roe/rules.ts';
import { concluded, UsageError } from './verb.ts';
import { version } from './version.ts';

const schemas = ['fixp.xml', 'orders.xml'] as const;

export const verb = command({
  summary: 'write the rules of engagement of a session, and the files of its client',
  forms: ['--config FILE --session COMPID --out DIR'],
  about: `Rules as HTML and Markdown: connection, session, instruments, messages, tags, values, rejects with remedies, examples with
real bytes. Beside them the QuickFIX dictionary, a FIX Orchestra file and settings for QuickFIX C++, J, n and jspurefix,
or the SBE schemas for a session that speaks FIXP. No secret is in any of them.`,
  options: {
    config: needed('FILE', 'configuration of the bridge'),
    session: needed('COMPID', 'senderCompId of the session'),
    out: needed('DIR', 'where to write; created if it does not exist'),
    host: text(
      'H',
      'address that the client connects to, if it is not the one in the configuration',
    ),
    contact: text(
      'TEXT',
      'contact for questions: name, telephone, address; separate several with ;',
    ),
    port: integer('P', 'its port, if a proxy is in between', portRange),
  },
  examples: [
    'causeway roe --config gateway.yaml --session ALPHA --out roe/alpha',
    'causeway roe --config gateway.yaml --session ALPHA --out roe/alpha --host fix.example.com --port 443',
  ],
  async run({ config: file, session: compId, out, host, port, contact, json }) {
    const loaded = loadConfig(file);
    const { config, path } = loaded;
    const session = config.sessions.find(({ senderCompId }) => senderCompId === compId);
    if (session === undefined) {
      const known = config.sessions.map(({ senderCompId }) => senderCompId).join(', ');
      throw new UsageError(`--session ${compId}: ${file} has ${known}`);
    }
    const endpoint = endpointOf(config, session, { host, port });
    const own = filesOf(session, endpoint);
    const issue = {
      program: `causeway ${version()}`,
      date: new Date(systemClock.now().wallMs).toISOString().slice(0, 10),
      contacts: contact?.split(';').map((text) => text.trim()) ?? [],
      certificate: certificateOf(loaded, session),
    };
    const rules = rulesOf({
      ...{ config, session, endpoint, issue },
      profile: loadProfile(path(config.venue.profile)),
      dictionary: causeway44(),
      files: own.map(({ name, purpose }) => [name, purpose]),
    });
    const written = [
      { name: 'rules.html', text: html(`Rules of engagement: ${compId}`, rules) },
      { name: 'rules.md', text: markdown(rules) },
      ...own,
    ];
    mkdirSync(out, { recursive: true });
    for (const { name, text } of written) writeFileSync(join(out, name), text);
    const names = written.map(({ name }) => name);
    return concluded(json, { out, files: names }, `${out}: ${names.join(', ')}`);
  },
});

/** The certificate of the client's port. */
function certificateOf(
  { config, path }: LoadedConfig,
  { connect, protocol }: SessionConfig,
): X509Certificate | undefined {
  const file = connect === undefined ? config[protocol]?.tls?.certFile : connect.tls?.certFile;
  return file === undefined ? undefined : new X509Certificate(readFileSync(path(file)));
}

/** The address to which the client or the bridge connects. */
function endpointOf(
  config: Config,
  session: SessionConfig,
  given: { readonly host: string | undefined; readonly port: number | undefined },
): Endpoint {
  const { connect } = session;
  const server = config[session.protocol];
  const address = connect ?? server?.listen;
  if (address === undefined) {
    throw new Failure('the configuration has no fixp port', 'Add "fixp" with "listen" to it.');
  }
  const { host, port } = address;
  if ((given.port ?? port) === 0) {
    throw new UsageError(
      '--port: the configuration leaves the port to the system (port: 0), so name it here',
    );
  }
  return {
    host: given.host ?? host,
    port: given.port ?? port,
    isTls: (connect ?? server)?.tls !== undefined,
    asksCertificate: connect === undefined && server?.tls?.clientCaFile !== undefined,
  };
}

function filesOf(session: SessionConfig, endpoint: Endpoint) {
  const shipped = (name: string, purpose: string) => {
    return { name, purpose, text: shippedText(`dictionaries/${name}`) };
  };
  if (session.protocol === 'fixp') {
    return schemas.flatMap((name) => [
      shipped(name, 'SBE schema'),
      {
        name: name.replace('.xml', '.md'),
        purpose: `messages of ${name}, with examples in bytes`,
        text: describeSchema(shippedSchema(name), name),
      },
    ]);
  }
  const title = `Causeway for ${session.senderCompId}`;
  return [
    shipped(dictionaryName, 'dictionary for any QuickFIX'),
    {
      name: 'orchestra.xml',
      purpose: 'FIX Orchestra repository of this session',
      text: orchestra(title, causeway44(), usesOf(session)),
    },
    ...Object.entries(clientSettings(session, endpoint)).map(([name, text]) => {
      return { name, purpose: `settings of ${name.split('.')[0]}`, text };
    }),
  ];
}
