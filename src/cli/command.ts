/** Builds a verb from a table, which the parser, the help, the completion and the command reference all use. */

import { didYouMean } from '../runtime/spelling.ts';
import { flag, optionForm, optionHelp, parseOptions } from './options.ts';
import { startEnded } from './stop.ts';
import {
  type NamedVerbs,
  type Option,
  type OptionTable,
  UsageError,
  type Values,
  type Verb,
} from './verb.ts';

/** The declaration of a verb in its file. */
export interface Command<Table extends OptionTable> {
  readonly summary: string;
  /** Each form of the call, after `causeway` and the verb. */
  readonly forms: readonly string[];
  /** An explanation before the options. */
  readonly about?: string;
  /** If present, the first operand is one of these words. */
  readonly actions?: Readonly<Record<string, string>>;
  /** Whether the verb has a default without an action. */
  readonly isActionOptional?: boolean;
  /** The maximum number of operands, including the action; none by default. */
  readonly maxOperands?: number;
  readonly options: Table;
  /** An explanation after the options. */
  readonly notes?: string;
  readonly examples: readonly string[];
  run(
    values: Values<Table & Shared>,
    operands: readonly string[],
    all: () => Promise<NamedVerbs>,
  ): Promise<number>;
}

const shared = { json: flag('answer as JSON, errors too') };
type Shared = typeof shared;

export function command<const Table extends OptionTable>(given: Command<Table>): Verb {
  const { summary, actions = {}, maxOperands = 0 } = given;
  const options = { ...given.options, ...shared };
  return {
    summary,
    help: (name) => helpOf(name, given, options),
    options,
    actions,
    takesOperands: maxOperands > (given.actions === undefined ? 0 : 1),
    async run(args, all = async () => []) {
      const { values, operands } = parseOptions(options, args);
      if (operands.length > maxOperands) {
        throw new UsageError(`"${operands[maxOperands]}" is too much`);
      }
      const [action = ''] = operands;
      const isOmitted = action === '' && given.isActionOptional === true;
      if (given.actions !== undefined && !isOmitted && !Object.hasOwn(actions, action)) {
        const words = Object.keys(actions).join(', ');
        throw new UsageError(
          action === ''
            ? `name an action: ${words}`
            : `no action ${action}: ${words}.${didYouMean(action, Object.keys(actions))}`,
        );
      }
      try {
        return await given.run(values, operands, all);
      } finally {
        startEnded();
      }
    },
  };
}

function helpOf<Table extends OptionTable>(
  name: string,
  { forms, about, actions = {}, notes, examples }: Command<Table>,
  options: OptionTable,
): string {
  const rows: (readonly [string, string])[] = Object.entries(options).map(
    ([option, row]: [string, Option<unknown>]) => [optionForm(option, row), optionHelp(row)],
  );
  return [
    forms.map((form) => `causeway ${name} ${form}`.trimEnd()).join('\n'),
    about,
    columns(Object.entries(actions)),
    columns(rows),
    notes,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

const widestTerm = 26;

/** Formats two columns; a term that is too wide gets its own line. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const fitting = rows.map(([term]) => term.length).filter((length) => length <= widestTerm);
  const width = Math.max(0, ...fitting) + 2;
  return rows
    .map(([term, help]) => {
      const separator = term.length > widestTerm ? `\n  ${' '.repeat(width)}` : '';
      return `  ${separator === '' ? term.padEnd(width) : term}${separator}${help}`;
    })
    .join('\n');
}
