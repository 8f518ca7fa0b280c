/** What becomes of a message that a protocol cannot express. */
import { expect, test } from 'vitest';
import { NotWritable, written } from '../../src/dropcopy/copy-output.ts';

test('what is written is handed on, and an error becomes one that stops only the reader, with its cause', () => {
  expect(written(() => 'bytes')).toBe('bytes');
  const cause = new RangeError('no UTCTimestamp for second 8000000000000');
  const failing = () => {
    throw cause;
  };
  expect(() => written(failing)).toThrow(NotWritable);
  expect(() => written(failing)).toThrow(
    expect.objectContaining({ message: cause.message, cause }),
  );
});
