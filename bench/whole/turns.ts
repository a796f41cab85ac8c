// Finds in a profile of probe.cjs the turns of the event loop in which each part of the backend took longest: turns.ts FILE
import { readFileSync } from 'node:fs';
import {
  longestOf,
  turnsOf,
} from '../../plugins/argocd-fleet-backend/src/__testUtils__/turnProfile';

const [path] = process.argv.slice(2);
const { profile, ticks } = JSON.parse(readFileSync(path, 'utf8'));
const turns = turnsOf(profile, ticks, {
  own: /argocd-fleet(-\w+)?\/dist\//,
  catalog: /\/plugin-catalog-/,
});

process.send!({
  bench: Object.fromEntries(
    ['own', 'catalog', 'collector', 'others'].map(part => {
      const { ms, functions } = longestOf(turns, part);
      return [part, { ms: ms[part], functions }];
    }),
  ),
});
