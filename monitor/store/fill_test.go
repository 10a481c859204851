package store

import (
	"fmt"
	"reflect"
	"time"
)

// fill sets every field of a struct, however deep, to a value of its own, so that
// a field that somebody adds and the ledger forgets makes a test fail. next
// counts the values handed out.
func fill(v reflect.Value, next *int) {
	*next++
	n := *next
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 11, 1, 8, 0, n, n, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d «é»", n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Uint8:
		v.SetUint(uint64(n % 256))
	case reflect.Float64:
		v.SetFloat(float64(n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), next)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, next)
			fill(value, next)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" { // is not kept
				fill(v.Field(i), next)
			}
		}
	default:
		panic(fmt.Sprintf("fill: teach it %s", v.Type()))
	}
}

// filled is a T with every field set.
func filled[T any](next *int) T {
	var v T
	fill(reflect.ValueOf(&v).Elem(), next)
	return v
}
