// A module as a user of bqgen has one. The tests copy it together with generated code and point the replace at this
// repository.
module example.com/shop

go 1.26.0

require github.com/babelqueue/bqgen v0.0.0

replace github.com/babelqueue/bqgen => ../..
