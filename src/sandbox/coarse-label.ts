/** The label of contract A.18.4 that stands for a fine code in results and receipts; the fine one goes beside it. */
import { coarseLabels, type EngineCode } from './engine/refusal.ts';

export function coarseLabel(code: string): string {
  if (code.startsWith('nonce_')) return 'NONCE_REJECTED';
  if (Object.hasOwn(coarseLabels, code)) return coarseLabels[code as EngineCode];
  return code === code.toUpperCase() ? code : 'ENGINE_REJECTED';
}
