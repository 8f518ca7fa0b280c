/** Opens the chain of operator actions of a store, and publishes each head to the log and to the configured file. */
import { type OperatorLines, withFacts } from '../../runtime/operator-line.ts';
import { AuditChain, type AuditHead } from '../../store/audit-chain.ts';
import { AuditHeadFile, readAuditHead, setAside } from '../../store/audit-head-file.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { LoadedConfig } from '../config/config-file.ts';

export async function openAudit(
  { alarm, loaded, notice }: OperatorLines & { readonly loaded: LoadedConfig },
  transactions: Transactions,
): Promise<{ readonly audit: AuditChain; readonly headFile: AuditHeadFile | undefined }> {
  const { auditHeadFile } = loaded.config;
  const file = auditHeadFile && loaded.path(auditHeadFile);
  const kept = file && readAuditHead(file);
  const headFile =
    file === undefined ? undefined : new AuditHeadFile(file, withFacts(alarm, { event: 'audit' }));
  const publish = (head: AuditHead) => {
    const text = `audit chain: ${head.position} records, head ${head.hash}`;
    notice(text, { event: 'audit_head' });
    headFile?.write(head);
  };
  const audit = await AuditChain.open(transactions.store, transactions, publish);
  if (file && kept && !(await audit.has(kept))) {
    alarm(setAside(file, kept, audit.length), { event: 'audit' });
  }
  publish({ position: audit.length, hash: audit.head });
  return { audit, headFile };
}
