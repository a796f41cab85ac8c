// Loaded into every process of ours: when its parent is killed and cannot stop it, or nobody reads any more what it says, it stops by itself.
const STOP_TIMEOUT_MS = 10_000;
const PARENT_CHECK_MS = 1_000;

let stopping = false;

function stop() {
  // A second signal would cut an orderly stop short.
  if (!stopping) {
    stopping = true;
    process.kill(process.pid, 'SIGTERM');
    setTimeout(
      () => process.kill(process.pid, 'SIGKILL'),
      STOP_TIMEOUT_MS,
    ).unref();
  }
}

// Without a listener, a Backstage backend logs again and again that it cannot log, and no promise of its orderly stop gets its turn.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', stop);
}

if (process.channel) {
  process.once('disconnect', stop);
  // Nobody has to stay alive only to hear of that.
  process.channel.unref();
} else if (process.env.npm_lifecycle_event) {
  // npm waits for its scripts, and has no channel to them.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) {
      stop();
    }
  }, PARENT_CHECK_MS).unref();
}

// Forks inherit the arguments, and a worker that waits for its parent's messages has to stay alive for them.
const own = process.execArgv.findIndex(argument => argument === __filename);
if (own > 0) {
  process.execArgv.splice(own - 1, 2);
}
