// Output of the commands on the terminal.

/** Prints a message that says what to do, and ends the process with exit code 1. */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** Runs a long step and reports every 10 s that it is still running; returns the step's result. */
export async function step(title, work) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  console.log(`• ${title} …`);
  const timer = setInterval(
    () => console.log(`  … ${title}: ${seconds()}`),
    10_000,
  );
  try {
    const result = await work();
    console.log(`✓ ${title} (${seconds()})`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
