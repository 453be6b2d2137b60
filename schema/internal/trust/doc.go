// Package trust tells how far a thing of the catalog can be relied on after findings.
//
// A loader that goes on after a finding must not report what only follows from the first: a misspelt keyword is one
// finding, not also a missing property, a contradiction and an invalid example. So nodes, drafts, groups, schemas,
// sections and roots carry a [Doubt]: a set of reasons why they are not what their author meant. Every stage adds the
// reasons it finds, passes on those of its input, and asks before it reports:
//
//	reason    what happened                               a stage may still
//	-------   -----------------------------------------   -------------------------------------------------------
//	(none)    nothing was reported                        report anything, rely on it, validate values against it
//	Inside    a finding further inside                    report its own contradictions and missing names
//	Faulty    a finding about one of its own keywords     report missing names, but no contradictions between keywords
//	Partial   some of it could not be read or is unknown  report contradictions, but no missing names or types
//	Nowhere   in the end it refers only to itself         report nothing: whoever meets it stops
//
// Reasons add up: what is Faulty and Partial permits neither. The first column is for the code that sets a reason; code
// that asks uses the methods, one for each question of the last column: [Doubt.MayContradict], [Doubt.MayMiss],
// [Doubt.MayFollow] and [Doubt.MayRely].
//
// Where each reason comes from:
//
//	source   a node with a duplicate key, a refused tag or a bad key in it is Partial, and all nodes around it are
//	draft    a draft with a finding among its keywords is Faulty, with an unknown keyword or a Partial node Partial,
//	         with a finding anywhere below it Inside
//	link     a section whose mapping is Partial is Partial; a root with a $ref that leads nowhere is Inside
//	merge    a group has the reasons of its parts; a type that only refers to itself is Nowhere
//	judge    a root that refers to a doubted root is Inside as well
package trust
