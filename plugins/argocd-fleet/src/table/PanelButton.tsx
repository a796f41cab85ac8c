import { TextButton } from '../status/TextButton';

/** A button that its own click removes. The focus goes to the panel of its table, which has `tabIndex` -1. */
export function PanelButton(props: {
  readonly onClick: () => void;
  readonly children: string;
}) {
  return (
    <TextButton
      onClick={event => {
        event.currentTarget
          .closest<HTMLElement>('div[tabindex="-1"]')
          ?.focus({ preventScroll: true });
        props.onClick();
      }}
    >
      {props.children}
    </TextButton>
  );
}
