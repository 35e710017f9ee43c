import fc from 'fast-check';

import { seededRandom } from './sandbox/random.mts';
import { seed } from './seed.mts';

// A vitest setup file: what a test file draws depends on the seed alone, and so does what the node
// draws while it is tested, such as the time before it tries again.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seed() });
Math.random = seededRandom(seed());
