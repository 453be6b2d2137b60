package bq

// Generated1 ties generated code to this package: code generated for another version of the runtime's interface names
// another constant and does not compile. It has no use in code written by hand.
const Generated1 = true
