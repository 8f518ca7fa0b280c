/** The version of the package that this program was installed from. */
import { shippedText } from '../runtime/shipped.ts';

export function version(): string {
  return (JSON.parse(shippedText('package.json')) as { version: string }).version;
}
