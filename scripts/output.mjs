// What the commands say on the terminal.

/** Ends the process with a message that says what to do. */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

/** Runs a long step and says that it is still going, so that nobody wonders; returns what the step returns. */
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
