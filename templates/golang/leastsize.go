package golang

// leastSize returns how many bytes the code of a package has at least: each name stands in it several times. What is
// much too large is noticed by it before anything is emitted.
func leastSize(p *codePackage) int {
	size := p.Types.leastSize()
	for _, m := range p.Messages {
		size += m.leastSize()
	}
	return size
}

func (d *declarations) leastSize() (size int) {
	for _, one := range d.Decls {
		switch one := one.(type) {
		case *structDecl:
			size += one.leastSize()
		case *enumDecl:
			size += one.leastSize()
		}
	}
	return size
}

func (d *structDecl) leastSize() int {
	size := 5 * len(d.Name) // its declaration, and four methods and functions
	for _, f := range d.Fields {
		size += 3 * (len(f.Name) + len(f.Member)) // its declaration, encoding and decoding
		for _, line := range f.Doc {
			size += len(line)
		}
	}
	return size
}

func (d *enumDecl) leastSize() int {
	size := 5 * len(d.Name)
	for _, c := range d.Constants {
		size += 2*len(c.Name) + len(d.Name) + len(c.Value) // its declaration and the table
	}
	return size
}
