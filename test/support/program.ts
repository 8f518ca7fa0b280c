/** The program called within this process, so that a test of its words costs no start of another. */
import { vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';

export interface Called {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function causeway(...args: string[]): Promise<Called> {
  const out: string[] = [];
  const err: string[] = [];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text) => void out.push(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void err.push(`${text}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
  ];
  try {
    const status = await runProgram(args);
    return { status, stdout: out.join(''), stderr: err.join('') };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
