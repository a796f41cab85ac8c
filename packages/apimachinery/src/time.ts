/** A time as `metav1.Time` writes it: RFC 3339, UTC, whole seconds. */
export function kubeTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
