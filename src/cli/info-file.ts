/** The file from which a client starts: written atomically, and readable only by its owner. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parsedJson } from '../runtime/parsed-json.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import { Failure } from './advice.ts';

export function writeInfo(file: string, info: object): void {
  replaceFileSync(file, `${JSON.stringify(info, null, 2)}\n`);
}

const login = { role: z.string(), username: z.string(), password: z.string() };
const lane = { host: z.string(), port: z.int().min(1).max(65_535) };
const fixSession = z.object({ ...login, senderCompId: z.string(), targetCompId: z.string() });
const fixpSession = z.object({ ...login, name: z.string() });

/** The part of `causeway demo --info`'s file that a client uses. */
const infoSchema = z.object({
  fix: z.object({ ...lane, sessions: z.array(fixSession) }),
  fixp: z.object({ ...lane, sessions: z.array(fixpSession) }).optional(),
});

export function readInfo(file: string): z.output<typeof infoSchema> {
  const text = readFileSync(file, 'utf8');
  const read = infoSchema.safeParse(parsedJson(text));
  if (read.success) return read.data;
  throw new Failure(
    `${file} is not what a demo writes`,
    'Write it again, and leave the demo running: causeway demo --info FILE',
  );
}
