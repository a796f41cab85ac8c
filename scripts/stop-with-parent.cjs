// Loaded into every child process: stops the process when its parent was killed, or when its output can no longer be
// written.
const STOP_TIMEOUT_MS = 10_000;
const PARENT_CHECK_MS = 1_000;

let stopping = false;

function stop() {
  // A second signal would interrupt a graceful shutdown.
  if (!stopping) {
    stopping = true;
    process.kill(process.pid, 'SIGTERM');
    setTimeout(
      () => process.kill(process.pid, 'SIGKILL'),
      STOP_TIMEOUT_MS,
    ).unref();
  }
}

// Without a listener, a Backstage backend logs endlessly that it cannot log, which starves its graceful shutdown.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', stop);
}

if (process.channel) {
  process.once('disconnect', stop);
  // The channel alone must not keep the process alive.
  process.channel.unref();
} else if (process.env.npm_lifecycle_event) {
  // npm starts its scripts without a channel, so poll for the parent.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) {
      stop();
    }
  }, PARENT_CHECK_MS).unref();
}

// Forks inherit these arguments, but in a fork the channel must keep the process alive: it waits for its parent's
// messages.
const index = process.execArgv.findIndex(argument => argument === __filename);
if (index > 0) {
  process.execArgv.splice(index - 1, 2);
}
