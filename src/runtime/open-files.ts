/** How many descriptors this process may have open at once (`ulimit -n`); infinite where the system sets no limit. */
export function openFilesLimit(): number {
  const { report } = process;
  // Else the names of all peers are looked up.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  // Node raises the soft limit to the hard one when it starts, so this is all that there is.
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) ? soft : Number.POSITIVE_INFINITY;
}
