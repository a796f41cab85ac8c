import type { Theme } from '@material-ui/core/styles';

/** Colours by meaning; each has a contrast of at least 4.5 (WCAG AA) on the backgrounds of paper, page and chip. */
export interface FleetPalette {
  readonly good: string;
  readonly busy: string;
  readonly bad: string;
  readonly warn: string;
  readonly unknown: string;
  readonly paused: string;
  /** Secondary text. The theme's own has a contrast below AA on the light page background. */
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

/** Meanings of a status colour. */
export const TONES = [
  'good',
  'busy',
  'bad',
  'warn',
  'unknown',
  'paused',
] as const;
export type Tone = (typeof TONES)[number];

export function fleetPalette(theme: Theme): FleetPalette {
  return theme.palette.type === 'dark' ? DARK : LIGHT;
}

/** A rule for each tone, which sets the property to the tone's colour. */
export function toneRules<Property extends string>(
  theme: Theme,
  property: Property,
): Record<Tone, Record<Property, string>> {
  const palette = fleetPalette(theme);
  return Object.fromEntries(
    TONES.map(tone => [tone, { [property]: palette[tone] }]),
  ) as Record<Tone, Record<Property, string>>;
}
