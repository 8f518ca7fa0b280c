/** The file of a thread or process of our own: source and built file lie side by side, alike but for their ending. */
export function beside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.slice(-3)}`, moduleUrl);
}
