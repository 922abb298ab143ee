#!/usr/bin/env node
// Starts the program of the package for this system, and ends as it ends. Nothing is downloaded here: npm has chosen the package.
'use strict';

const { spawn } = require('node:child_process');
const os = require('node:os');

function program() {
  const name = `@activate-context/${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'activate.exe' : 'activate';
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    const known = Object.keys(require('../package.json').optionalDependencies).join(', ');
    process.stderr.write(
      `activate: the package ${name} is not installed. Either there is none for this system (there are ${known}), ` +
        'or npm was told to leave out optional packages.\n',
    );
    process.exit(1);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });

// Whoever ends this means the program. A terminal tells both; the program then hears it twice, which ends it no sooner.
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of passed) {
  process.on(signal, () => child.kill(signal));
}

child.on('error', (error) => {
  process.stderr.write(`activate: the program cannot be started: ${error.message}\n`);
  process.exit(1);
});

child.on('close', (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  for (const name of passed) {
    process.removeAllListeners(name);
  }
  // As a shell sees it; where the signal does not end this, the number does.
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + (os.constants.signals[signal] ?? 0)), 100);
});
