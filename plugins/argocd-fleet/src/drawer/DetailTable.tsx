import type { ReactNode } from 'react';
import { useDetailStyles } from './detailStyles';

/** A small table of the drawer. */
export function DetailTable(props: {
  readonly label?: string;
  readonly headings: readonly string[];
  /** Its rows. */
  readonly children: ReactNode;
}) {
  const classes = useDetailStyles();
  return (
    <table className={classes.table} aria-label={props.label}>
      <thead>
        <tr>
          {props.headings.map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}
