import { existsSync, readFileSync } from 'node:fs';

/** The maximum number of open descriptors of this process (`ulimit -n`); infinite if the system sets no limit. */
export function openFilesLimit(): number {
  const limits = '/proc/self/limits';
  // A report of Node takes 40 ms.
  if (existsSync(limits))
    return Number(
      /^Max open files +(\d+)/m.exec(readFileSync(limits, 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY,
    );
  const { report } = process;
  // Without this option the names of all peers would be resolved.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  // Node raises the soft limit to the hard one when it starts, so this is the actual limit.
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) ? soft : Number.POSITIVE_INFINITY;
}
