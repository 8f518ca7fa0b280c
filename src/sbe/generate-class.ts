/** What every generated class is put through. */

/** Leaves out state that no method reads, and refuses two members of one name. */
export function finished(className: string, lines: readonly string[]): string[] {
  const unused = ['#octets', '#version', '#limit'].filter((member) =>
    lines.every((line) => !line.includes(member) || isOnlyKept(line, member)),
  );
  const members = new Set<string>();
  for (const line of lines) {
    const [, name] = /^ {2}(?:get |readonly )?(#?\w+)(?:\(| = |;|:)/.exec(line) ?? [];
    if (name === undefined) continue;
    if (members.has(name)) {
      throw new Error(
        `${className} would have two members ${name}: rename the field of the schema`,
      );
    }
    members.add(name);
  }
  return lines.filter((line) => !unused.some((member) => isOnlyKept(line, member)));
}

/** True of its declaration and of assignments to it. */
function isOnlyKept(line: string, member: string): boolean {
  return new RegExp(`^ +(this\\.)?${member} = `).test(line);
}

/** Words of a schema that cannot end the comment that they stand in. */
export function inComment(text: string): string {
  return text.replaceAll('*/', '* /');
}
