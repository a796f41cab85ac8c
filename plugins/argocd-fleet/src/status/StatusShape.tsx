import { makeStyles } from '@material-ui/core/styles';
import type { ReactNode } from 'react';
import { toneRules } from './palette';
import type { Presentation, Shape } from './presentation';

const DISC = 'M9 1a8 8 0 1 0 0 16A8 8 0 0 0 9 1z';

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  check: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d={`${DISC}M7.6 12.7 4 9.1l1.3-1.3 2.3 2.3 5-5L13.9 6.4z`}
    />
  ),
  triangle: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M9 1.5 17.5 16.5H.5zM8.1 6.5v5h1.8v-5zM8.1 12.7v1.8h1.8v-1.8z"
    />
  ),
  arc: (
    <path
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      d="M15.5 9A6.5 6.5 0 1 1 9 2.5"
    />
  ),
  dashed: (
    <circle
      cx="9"
      cy="9"
      r="7"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeDasharray="3.5 2.8"
    />
  ),
  question: (
    <g fill="none" stroke="currentColor" strokeWidth="1.8">
      <circle cx="9" cy="9" r="7.1" />
      <path d="M6.7 7.2a2.3 2.3 0 1 1 3.3 2.1c-.7.3-1 .7-1 1.4M9 12.3v1.7" />
    </g>
  ),
  pause: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d={`${DISC}M6 5.5v7h2v-7zM10 5.5v7h2v-7z`}
    />
  ),
  barred: (
    <g fill="none" stroke="currentColor" strokeWidth="2.2">
      <circle cx="9" cy="9" r="7" />
      <path d="M4.5 9h9" />
    </g>
  ),
  ring: (
    <circle
      cx="9"
      cy="9"
      r="7"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    />
  ),
  notEqual: (
    <g fill="none" stroke="currentColor" strokeWidth="2">
      <path d="M3 6.5h12M3 11.5h12M12.5 2.5 5.5 15.5" />
    </g>
  ),
};

const useStyles = makeStyles(
  theme => ({
    shape: { width: 16, height: 16, flex: 'none' },
    ...toneRules(theme, 'color'),
  }),
  { name: 'ArgocdFleetStatusShape' },
);

/** Class names by tone, for text in a status colour. */
export function useToneClasses() {
  return useStyles();
}

/** The shape alone; hidden from screen readers, because a word is always next to it. */
export function StatusShape(props: { readonly of: Presentation }) {
  const classes = useStyles();
  const { shape, tone } = props.of;
  return (
    <svg
      className={`${classes.shape} ${classes[tone]}`}
      viewBox="0 0 18 18"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[shape]}
    </svg>
  );
}
