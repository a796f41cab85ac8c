import { createTheme } from '@material-ui/core/styles';
import { getContrastRatio } from '@material-ui/core/styles/colorManipulator';
import { fleetPalette, TONES } from './palette';

/** Backgrounds of status text, in Backstage's themes and in the mock-ups. */
const BACKGROUNDS = {
  light: ['#ffffff', '#f8f8f8', '#f5f5f5'],
  dark: ['#424242', '#333333', '#1f1f1f'],
} as const;

describe.each(['light', 'dark'] as const)('the %s palette', type => {
  const palette = fleetPalette(createTheme({ palette: { type } }));

  it.each([...TONES, 'dim'] as const)('is readable in tone %s', tone => {
    for (const background of [...BACKGROUNDS[type], palette.chip]) {
      expect(
        getContrastRatio(palette[tone], background),
      ).toBeGreaterThanOrEqual(4.5);
    }
  });
});
