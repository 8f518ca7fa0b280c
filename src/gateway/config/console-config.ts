/** The `console` section of the configuration: the console's port, its users, and what each user may do. */
import { z } from 'zod';
import { key } from '../../runtime/yaml-problem.ts';
import {
  file,
  host,
  integerOr,
  list,
  listen,
  name,
  protectedUrl,
  text,
  textOr,
  tls,
} from './config-keys.ts';

/** Everyone who can log in may view, so `view` changes nothing; it can be listed like the others. */
export const operatorRoles = ['view', 'operate', 'approve', 'administer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
/** Actions that can require approval by a second operator. */
const approvable = [
  'bust',
  'cancel',
  'mass_cancel',
  'release',
  'reopen',
  'reset',
  'set_limits',
  'set_numbers',
] as const;

const operator = z.strictObject({
  name: key(name, 'The name under which the audit chain records what the operator does.', 'olga'),
  secretHashFile: key(
    file,
    'The scrypt hash of the token, created by `causeway keys hash`.',
    'secrets/olga.hash',
  ),
  roles: key(
    z.array(z.enum(operatorRoles)).default([...operatorRoles]),
    'What the operator may do besides viewing: `operate` acts on sessions, orders and the kill switch, `approve` approves what others request, `administer` changes limits. Empty or `view` alone: nothing else.',
    ['operate', 'approve'],
  ),
});

const oidc = z.strictObject({
  issuer: key(
    z
      .url()
      .refine(
        (text) => protectedUrl(text) !== undefined,
        'must begin with https://, or be on this machine',
      )
      .meta({ title: 'URL' }),
    'The issuer of the OpenID provider; its description is read from there.',
    'https://login.example/realms/trading',
  ),
  clientId: key(text.max(200), 'The client id of this console at the provider.', 'causeway'),
  clientSecretFile: key(
    file.optional(),
    'The secret of the client. If absent, the client is public and PKCE alone protects the login.',
    'secrets/oidc',
  ),
  scope: key(
    z.string().max(500).default('openid profile'),
    'The scopes that are requested; they decide which claims the provider returns.',
    'openid profile roles',
  ),
  nameClaim: key(
    textOr('preferred_username', 100),
    'The claim with the name under which the audit chain records the operator. Choose one that people cannot change themselves. The same name as in `operators` is the same operator.',
    'email',
  ),
  rolesClaim: key(
    textOr('roles', 100),
    'The claim with the roles or groups of the person, a text or a list of texts.',
    'groups',
  ),
  roles: key(
    z.record(text.max(200), z.array(z.enum(operatorRoles))),
    'What each value of `rolesClaim` may do. A value with an empty list, or `view` alone, may only view. A person without any of these values cannot log in.',
    { 'trading-ops': ['operate', 'approve'], support: [] },
  ),
  label: key(
    textOr('Single sign-on', 40),
    'The text of the button on the login page.',
    'Log in with Example',
  ),
});
export type OidcConfig = z.output<typeof oidc>;

export const consoleSection = z.strictObject({
  listen,
  tls: tls.optional().describe('TLS of the console; required if it listens beyond this machine.'),
  hostNames: key(
    z.array(host).default([]),
    'Names with port under which browsers may open the console, in addition to the address it listens on.',
    ['console.example:9881'],
  ),
  operators: list(operator).max(100).describe('Who may log in to the console.'),
  oidc: oidc
    .optional()
    .describe(
      'Login through an [OpenID provider](CONSOLE.md#openid), besides the tokens of `operators`.',
    ),
  fourEyes: key(
    z.array(z.enum(approvable)).default([]),
    'Actions that wait until a second operator with the role `approve` approves them, for ten minutes at most.',
    ['mass_cancel', 'release'],
  ),
  keepRecords: key(
    integerOr(1_000_000, 1_000, 100_000_000).meta({ unit: 'records' }),
    'How many messages and order steps are kept for search.',
    5_000_000,
  ),
  certificationDir: key(
    file.optional(),
    'A directory with a subdirectory for each counterparty, each with its `interview.yaml`. If absent, the page cannot run certifications.',
    'certification',
  ),
  certificationKeyFile: key(
    file.optional(),
    'The key that signs evidence of certifications run from the page. If absent, they cannot lead to a certificate.',
    'secrets/certification.pem',
  ),
});
export type ConsoleConfig = z.output<typeof consoleSection>;
