package schema

// Places knows where things stand in the files that a catalog was read from.
type Places interface {
	// KeyIn finds a key of the mapping that starts at a place.
	KeyIn(mapping Pos, key string) (Pos, bool)
	// KeyUnder finds a key of the mapping that is the value of the key at a place.
	KeyUnder(parent Pos, key string) (Pos, bool)
	// Key finds a top-level key of the catalog.
	Key(key string) (Pos, bool)
	// End is where the key or scalar at a place ends; the zero Pos when only the start is known.
	End(start Pos) Pos
}

// KeyIn returns where a key of the mapping at a place stands: of a schema's keyword, when it is given the schema's
// place. When there is no such key, it returns the place it was given.
func (c *Catalog) KeyIn(mapping Pos, key string) Pos {
	pos, _ := c.FindKeyIn(mapping, key)
	return pos
}

// FindKeyIn is [Catalog.KeyIn] and reports whether there is such a key.
func (c *Catalog) FindKeyIn(mapping Pos, key string) (Pos, bool) {
	if c.Places != nil {
		if pos, ok := c.Places.KeyIn(mapping, key); ok {
			return pos, true
		}
	}
	return mapping, false
}

// KeyUnder returns where a key of the mapping under the key at a place stands: of a queue's topic, when it is given the
// queue's place. When there is no such key, it returns the place it was given.
func (c *Catalog) KeyUnder(parent Pos, key string) Pos {
	if c.Places != nil {
		if pos, ok := c.Places.KeyUnder(parent, key); ok {
			return pos
		}
	}
	return parent
}

// Key returns where a top-level key of the catalog stands. When there is no such key, it returns the place of the
// package.
func (c *Catalog) Key(key string) Pos {
	if c.Places != nil {
		if pos, ok := c.Places.Key(key); ok {
			return pos
		}
	}
	return c.Pkg
}

// End returns where the key or scalar that starts at a place ends: the place behind its last character. It is the zero
// Pos when only the start is known; see [Diagnostic].
func (c *Catalog) End(start Pos) Pos {
	if c.Places == nil {
		return Pos{}
	}
	return c.Places.End(start)
}
