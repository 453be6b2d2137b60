package bq

// Generated3 ties generated code to this package. Code that was generated for another interface of the runtime refers
// to another constant and does not compile. Hand-written code does not need it.
const Generated3 = true
