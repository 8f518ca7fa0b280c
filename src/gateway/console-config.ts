/** The `console` section of the configuration: the console's port, its users, and what each user may do. */
import { z } from 'zod';
import {
  file,
  host,
  integerOr,
  isLoopback,
  list,
  listen,
  name,
  text,
  textOr,
  tls,
} from './config-keys.ts';

/** Everyone who can log in may view, so `view` changes nothing; it can be listed like the others. */
export const operatorRoles = ['view', 'operate', 'approve', 'administer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
/** Actions that can require approval by a second operator. */
const approvable = [
  'cancel',
  'mass_cancel',
  'release',
  'reopen',
  'reset',
  'set_limits',
  'set_numbers',
] as const;

const operator = z.strictObject({
  name: name.meta({
    description: 'The name under which the audit chain records what the operator does.',
    examples: ['olga'],
  }),
  secretHashFile: file.meta({
    description: 'The scrypt hash of the token, created by `causeway keys hash`.',
    examples: ['secrets/olga.hash'],
  }),
  roles: z
    .array(z.enum(operatorRoles))
    .default([...operatorRoles])
    .meta({
      description:
        'What the operator may do besides viewing: `operate` acts on sessions, orders and the kill switch, `approve` approves what others request, `administer` changes limits. Empty or `view` alone: nothing else.',
      examples: [['operate', 'approve']],
    }),
});

const oidc = z.strictObject({
  issuer: z
    .url()
    .refine(isProtected, 'must begin with https://, or be on this machine')
    .meta({
      title: 'URL',
      description: 'The issuer of the OpenID provider; its description is read from there.',
      examples: ['https://login.example/realms/trading'],
    }),
  clientId: text.max(200).meta({
    description: 'The client id of this console at the provider.',
    examples: ['causeway'],
  }),
  clientSecretFile: file.optional().meta({
    description:
      'The secret of the client. If absent, the client is public and PKCE alone protects the login.',
    examples: ['secrets/oidc'],
  }),
  scope: z
    .string()
    .max(500)
    .default('openid profile')
    .meta({
      description: 'The scopes that are requested; they decide which claims the provider returns.',
      examples: ['openid profile roles'],
    }),
  nameClaim: textOr('preferred_username', 100).meta({
    description:
      'The claim with the name under which the audit chain records the operator. Choose one that people cannot change themselves. The same name as in `operators` is the same operator.',
    examples: ['email'],
  }),
  rolesClaim: textOr('roles', 100).meta({
    description: 'The claim with the roles or groups of the person, a text or a list of texts.',
    examples: ['groups'],
  }),
  roles: z.record(text.max(200), z.array(z.enum(operatorRoles))).meta({
    description:
      'What each value of `rolesClaim` may do. A value with an empty list, or `view` alone, may only view. A person without any of these values cannot log in.',
    examples: [{ 'trading-ops': ['operate', 'approve'], support: [] }],
  }),
  label: textOr('Single sign-on', 40).meta({
    description: 'The text of the button on the login page.',
    examples: ['Log in with Example'],
  }),
});
export type OidcConfig = z.output<typeof oidc>;

function isProtected(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

export const consoleSection = z.strictObject({
  listen,
  tls: tls.optional().describe('TLS of the console; required if it listens beyond this machine.'),
  hostNames: z
    .array(host)
    .default([])
    .meta({
      description:
        'Names with port under which browsers may open the console, in addition to the address it listens on.',
      examples: [['console.example:9881']],
    }),
  operators: list(operator).max(100).describe('Who may log in to the console.'),
  oidc: oidc
    .optional()
    .describe(
      'Login through an [OpenID provider](CONSOLE.md#openid), besides the tokens of `operators`.',
    ),
  fourEyes: z
    .array(z.enum(approvable))
    .default([])
    .meta({
      description:
        'Actions that wait until a second operator with the role `approve` approves them, for ten minutes at most.',
      examples: [['mass_cancel', 'release']],
    }),
  keepRecords: integerOr(1_000_000, 1_000, 100_000_000).meta({
    unit: 'records',
    description: 'How many messages and order steps are kept for search.',
    examples: [5_000_000],
  }),
  certificationDir: file.optional().meta({
    description:
      'A directory with a subdirectory for each counterparty, each with its `interview.yaml`. If absent, the page cannot run certifications.',
    examples: ['certification'],
  }),
  certificationKeyFile: file.optional().meta({
    description:
      'The key that signs evidence of certifications run from the page. If absent, they cannot lead to a certificate.',
    examples: ['secrets/certification.pem'],
  }),
});
export type ConsoleConfig = z.output<typeof consoleSection>;
