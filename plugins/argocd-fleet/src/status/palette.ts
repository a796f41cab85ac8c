import type { Theme } from '@material-ui/core/styles';

/** What a colour means here; each reads on paper, page and chip backgrounds with a contrast of at least 4.5 (WCAG AA). */
export interface FleetPalette {
  readonly good: string;
  readonly busy: string;
  readonly bad: string;
  readonly warn: string;
  readonly unknown: string;
  readonly paused: string;
  /** Secondary text. The theme's own is below AA on the light page background. */
  readonly dim: string;
  readonly line: string;
  /** Background of chips, code and the selected row. */
  readonly chip: string;
}

const LIGHT: FleetPalette = {
  good: '#2e7d32',
  busy: '#1565c0',
  bad: '#c62828',
  warn: '#a84d08',
  unknown: '#616161',
  paused: '#5e35b1',
  dim: '#616161',
  line: '#e0e0e0',
  chip: '#eef2f7',
};

const DARK: FleetPalette = {
  good: '#81c784',
  busy: '#90caf9',
  bad: '#ffa9a3',
  warn: '#ffb74d',
  unknown: '#c4c4c4',
  paused: '#c5aef5',
  dim: '#c4c4c4',
  line: '#5c5c5c',
  chip: '#3a3f47',
};

/** A meaning that has a colour. */
export type Tone = 'good' | 'busy' | 'bad' | 'warn' | 'unknown' | 'paused';

export function fleetPalette(theme: Theme): FleetPalette {
  return theme.palette.type === 'dark' ? DARK : LIGHT;
}
