/** How often something happens. */
export interface Rate {
  add(): void;
  /** Events of about the last second; earlier ones count less and less. */
  perSecond(): number;
}

/** Creates the rate of one kind of event, which decays with a time constant of one second. */
export function createRate(): Rate {
  let level = 0;
  let at = -Infinity;

  function perSecond(): number {
    return level * Math.exp((at - performance.now()) / 1000);
  }

  return {
    add() {
      level = perSecond() + 1;
      at = performance.now();
    },
    perSecond,
  };
}
