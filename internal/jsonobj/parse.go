package jsonobj

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Parse parses a JSON text. Objects become [Object], numbers json.Number, so that both are written again as they were.
func Parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parse(d)
	if err != nil {
		return nil, fmt.Errorf("parse JSON: %w", err)
	}
	return v, nil
}

func parse(d *json.Decoder) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		return parseObject(d)
	case json.Delim('['):
		return parseList(d)
	}
	return tok, nil
}

func parseObject(d *json.Decoder) (any, error) {
	o := Object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := parse(d)
		if err != nil {
			return nil, err
		}
		o = append(o, Member{name.(string), value})
	}
	_, err := d.Token()
	return o, err
}

func parseList(d *json.Decoder) (any, error) {
	list := []any{}
	for d.More() {
		value, err := parse(d)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := d.Token()
	return list, err
}
