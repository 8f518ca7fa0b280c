/** What the bridge, the bare loop and the sink read the venue's contract from. */
import { join } from 'node:path';

export const profileFile = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
