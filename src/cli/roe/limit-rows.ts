/** The limits and settings of a session, with the units and meanings of the schema that checks the configuration. */
import type { z } from 'zod';
import type { ClientProfile, RiskLimits, SessionConfig } from '../../gateway/config/config.ts';
import { limits } from '../../gateway/config/config-keys.ts';
import { profile } from '../../gateway/config/session-config.ts';
import { unitOf } from '../../runtime/yaml-problem.ts';
import type { Row } from './document.ts';

export const limitColumns = ['Name', 'Value', 'Unit', 'Meaning'];

/** Settings of FIX alone; the rules of the session state `strictTags`. */
const ofFix: ReadonlySet<string> = new Set(['clientFields', 'quoteResponse']);

export function limitRows(values: RiskLimits): Row[] {
  return Object.entries(values).map(([key, value]) => row(key, value, limits.shape));
}

export function settingRows(values: ClientProfile, protocol: SessionConfig['protocol']): Row[] {
  return Object.entries(values)
    .filter(([key]) => key !== 'strictTags' && (protocol === 'fix' || !ofFix.has(key)))
    .map(([key, value]) => row(key, value, profile.shape));
}

function row(key: string, value: unknown, shape: Readonly<Record<string, z.ZodType>>): Row {
  const { description = '', unit = unitOf(key) ?? '' } = (shape[key]?.meta() ?? {}) as {
    readonly description?: string;
    readonly unit?: string;
  };
  const shown = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return [labelOf(key), shown, unit, description];
}

/** `maxOrderAgeMs` is "Max order age": the unit has its own column. */
function labelOf(key: string): string {
  const words = key
    .replace(/(Ms|Bps)$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^(ioc|stp)\b/, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
