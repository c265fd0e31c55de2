// A script for `new Worker`. It exports nothing.
export {};
