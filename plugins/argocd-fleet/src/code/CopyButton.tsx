import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { useEffect, useState } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { TextButton } from '../status/TextButton';

/** How long the button shows the result. */
const RESULT_SHOWN_MS = 3_000;

/** Copies a text and shows whether that worked. */
export function CopyButton(props: { readonly text: string }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const [result, setResult] = useState<'copied' | 'failed'>();

  useEffect(() => {
    if (!result) {
      return undefined;
    }
    const timer = setTimeout(() => setResult(undefined), RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(props.text);
      setResult('copied');
    } catch {
      // No permission, or a page without TLS, where browsers have no clipboard API.
      setResult('failed');
    }
  }

  return (
    <TextButton onClick={copy}>
      <span aria-live="polite">{t(`copy.${result ?? 'copy'}`)}</span>
    </TextButton>
  );
}
